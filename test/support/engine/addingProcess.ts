import { systemClock } from '../../../src/common/clock.ts';
import { isLimnerError } from '../../../src/common/limnerError.ts';
import { findExcess, overBudget, readBudget } from '../../../src/engine/task/budget.ts';
import { TaskStore } from '../../../src/engine/store/taskStore.ts';
import { aTask } from './taskBuilders.ts';
import { TestLog } from './world.ts';

// A process that adds tasks to a list as long as a budget lets it: `file limit tries`. Tells how many it added.
const [, , file = '', limit, tries] = process.argv;
const store = await TaskStore.open({ file, clock: systemClock, log: new TestLog(), notice() {} });
let added = 0;
for (let number = 0; number < Number(tries); number++) {
  const task = aTask({ id: `${process.pid}-${number}`, createdAt: Date.now() });
  const check = (): void => {
    const excess = findExcess(readBudget({ month: `${limit} images` }), [task.request], Date.now(), (time) =>
      store.spent.between(time),
    );
    if (excess) {
      throw overBudget(excess);
    }
  };
  try {
    await store.add(task, check);
    added += 1;
  } catch (error) {
    if (!isLimnerError(error) || error.code !== 'over_budget') {
      throw error;
    }
  }
}
await store.close();
process.send?.(added);
process.disconnect();
