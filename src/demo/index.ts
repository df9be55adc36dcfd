export { startDemoService, type DemoService, type DemoServiceDescription } from './demoService.ts';
export type { DemoServiceOptions } from './options.ts';
export { runService } from './runService.ts';
