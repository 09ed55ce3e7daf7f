// Times twelve tasks in a real browser on a real Weir, by mouse, by keyboard alone, and on a phone: `npm run tasks [-- --only TEXT]`,
// after a build. TEXT is part of a task's title.
import { parseArgs } from 'node:util'
import { table } from '../bench/report.ts'
import { groundOf, ROWS, timed } from './tasks/run.ts'
import { WAYS } from './tasks/task.ts'
import { TASKS } from './tasks/tasks.ts'
import { openSite, openWalker } from './walk/site.ts'

const { values } = parseArgs({ options: { only: { type: 'string', default: '' } } })
const site = await openSite(ROWS)
const walker = await openWalker(site)
const lines: string[][] = []
const faults: string[] = []
try {
  const ground = await groundOf(site.url)
  for (const task of TASKS.filter(({ title }) => title.includes(values.only)))
    for (const way of WAYS) {
      const { clicks, keys, seconds, fault } = await timed(walker, ground, task, way)
      lines.push([task.title, way, String(clicks), String(keys), seconds.toFixed(1), fault === '' ? 'yes' : 'NO'])
      if (fault !== '') faults.push(`- ${task.title}, by ${way}: ${fault}`)
    }
} finally {
  await walker.close()
  await site.close()
}
process.stdout.write(
  `${table([['task', 'way', 'clicks', 'keys', 'seconds', 'end reached'], ...lines])}\n${faults.map((one) => `\n${one}`).join('')}\n`,
)
process.exitCode = faults.length > 0 ? 1 : 0
