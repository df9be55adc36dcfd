/** Texts for new users: the extension, the empty task list, the walkthrough, and the tools in the chat. */
import type { ToolName } from '../../src/agents/tools/tools.ts';
import { contextKeys, extensionId, internalCommands } from '../../src/vscode/window/names.ts';

export const product = {
  displayName: 'Limner',
  description: 'Generate and edit images in the editor, and save them where your code needs them.',
  untrusted:
    "An untrusted workspace can't change which images are generated, how many, how they are finished, or where they are saved.",
};

const { configured, hasEdit, hasImage, hasService, hasTasks, showsAllTasks } = contextKeys;
const useDemoService = '[Use the Built-in Demo Service](command:limner.useDemoService)';
const connect = '[Connect to a Service…](command:limner.connect)';
const generateFirst = `[Generate Image…](command:${internalCommands.generateFirst})`;
const start = encodeURIComponent(`"${extensionId}#start"`);

/** Texts of the empty task list, and their conditions. */
export const welcomes = {
  unconfigured: {
    when: `!${configured}`,
    contents: `Limner generates images from a prompt and saves them in the workspace.

The built-in demo service needs no API key, and nothing leaves this computer.
${useDemoService}

If you have an account with an image service, enter its URL and your API key.
${connect}

New here? [Take a look around](command:workbench.action.openWalkthrough?${start}) first.`,
  },
  configured: {
    when: `${configured} && (${showsAllTasks} || !${hasTasks})`,
    contents: `No images yet.\n${generateFirst}`,
  },
  others: {
    when: `${configured} && !${showsAllTasks} && ${hasTasks}`,
    contents: `No images in this workspace yet.
${generateFirst}
[Show All Workspaces](command:limner.tasks.showAll) to see images from other workspaces.`,
  },
};

export const walkthrough = {
  id: 'start',
  title: 'Get Started with Limner',
  description: 'Generate and edit images, and save them where your code needs them.',
  steps: {
    connect: {
      title: 'Try the demo, or connect to a service',
      description: `The built-in demo service is free and needs no API key.
${useDemoService}
If you have an account with an image service, enter its URL and your API key. Limner checks them at no cost.
${connect}`,
      image: 'connect.png',
      altText: 'What was wrong with an API key, and how to fix it',
      completionEvents: [`onContext:${hasService}`, 'onCommand:limner.useDemoService'],
    },
    generate: {
      title: 'Generate an image',
      description: `Describe what you want to see. The image is saved in the \`images\` folder of your workspace, and its progress is in the Limner view.
[Generate Image…](command:limner.generate)`,
      image: { light: 'generate.jpg', dark: 'generate-dark.jpg' },
      altText: 'A finished image beside the task list',
      completionEvents: [`onContext:${hasImage}`],
    },
    edit: {
      title: 'Edit an image',
      description: `Right-click an image in the Explorer and select **Edit Image with Limner…**, or edit the one that is open. The result is saved beside the original; compare both in the task list.
[Edit Image…](command:limner.edit)`,
      image: 'edit.png',
      altText: 'An edit beside its original',
      completionEvents: [`onContext:${hasEdit}`],
    },
    studio: {
      title: 'Compose, mask, and compare in the studio',
      description: `Paint over what you want to change, use several input images, and compare the results.
[Open Studio](command:limner.openStudio)`,
      image: 'studio.jpg',
      altText: 'Painting over what to change',
      completionEvents: ['onCommand:limner.openStudio'],
    },
  },
};

/** Display of agents' tools, and their names after `#` in a prompt. */
export const chatTools: Readonly<Record<ToolName, { reference: string; icon: string; description: string }>> =
  {
    limner_generate_image: {
      reference: 'limnerGenerate',
      icon: 'sparkle',
      description: 'Generates an image and saves it in the workspace',
    },
    limner_generate_set: {
      reference: 'limnerSet',
      icon: 'layers',
      description: 'Generates several images with one setting, such as icons',
    },
    limner_edit_image: {
      reference: 'limnerEdit',
      icon: 'wand',
      description: 'Creates an image from images in the workspace and a prompt',
    },
    limner_list_tasks: {
      reference: 'limnerTasks',
      icon: 'list-unordered',
      description: 'Lists image tasks',
    },
    limner_resume_task: {
      reference: 'limnerResume',
      icon: 'debug-continue',
      description: "Waits for an image task, or fetches paid images that didn't arrive",
    },
    limner_finish_image: {
      reference: 'limnerFinish',
      icon: 'symbol-color',
      description: 'Resizes, converts, or cuts out an image at no cost',
    },
    limner_find_missing_images: {
      reference: 'limnerMissing',
      icon: 'search',
      description: 'Lists the missing images and placeholders of a document',
    },
    limner_replace_placeholder: {
      reference: 'limnerPlace',
      icon: 'replace',
      description: 'Puts an image in the place of a placeholder',
    },
    limner_describe: {
      reference: 'limnerDescribe',
      icon: 'info',
      description: 'Lists models, sizes, prices, and what is left of limits and budget',
    },
  };
