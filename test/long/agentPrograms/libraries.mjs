/*
 * An agent in each library, as its documentation has it: connects to `limner mcp`, hands the tools and a prompt to the
 * model, and prints what the model says in the end.
 *
 * Arguments: the library, the folder of the packages, the prompt, and as JSON how the server is started, the address of
 * the model, and how long a call may take in milliseconds, if that is not the library's own time.
 */
import { createRequire } from 'node:module';

const [name, packages, prompt, given] = process.argv.slice(2);
const { server, baseURL, timeout } = JSON.parse(given);
// The packages are not beside this file.
const require = createRequire(packages);
const apiKey = 'scripted';

const libraries = {
  async openaiAgents() {
    const {
      Agent,
      MCPServerStdio,
      OpenAIResponsesModel,
      run,
      setTracingDisabled,
    } = require('@openai/agents');
    const OpenAI = require('openai');
    setTracingDisabled(true);
    const limner = new MCPServerStdio({ ...server, ...(timeout && { timeout }) });
    await limner.connect();
    const model = new OpenAIResponsesModel(new OpenAI({ baseURL, apiKey }), 'scripted');
    const { finalOutput } = await run(new Agent({ name: 'Painter', model, mcpServers: [limner] }), prompt);
    await limner.close();
    return finalOutput;
  },

  async langChain() {
    const { MultiServerMCPClient } = require('@langchain/mcp-adapters');
    const { ChatOpenAI } = require('@langchain/openai');
    const { createAgent } = require('langchain');
    const client = new MultiServerMCPClient({
      mcpServers: { limner: { ...server, ...(timeout && { defaultToolTimeout: timeout }) } },
    });
    const model = new ChatOpenAI({ model: 'scripted', apiKey, configuration: { baseURL } });
    const agent = createAgent({ model, tools: await client.getTools() });
    const { messages } = await agent.invoke({ messages: [{ role: 'user', content: prompt }] });
    await client.close();
    return messages.at(-1).content;
  },

  async vercel() {
    const { generateText, isStepCount } = require('ai');
    const { createMCPClient } = require('@ai-sdk/mcp');
    const { StdioMCPTransport } = require('@ai-sdk/mcp/mcp-stdio');
    const { createOpenAI } = require('@ai-sdk/openai');
    const client = await createMCPClient({ transport: new StdioMCPTransport(server) });
    const model = createOpenAI({ baseURL, apiKey })('scripted');
    const { text } = await generateText({
      model,
      tools: await client.tools(),
      prompt,
      stopWhen: isStepCount(9),
    });
    await client.close();
    return text;
  },
};

console.log(await libraries[name]());
