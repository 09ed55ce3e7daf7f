// In which order the files of tests run: the longest first, so that all workers end together.
import { sep } from 'node:path'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** Those that take more than ten seconds, the longest first; of all others it does not matter. */
const LONGEST = [
  'console/accessible',
  'e2e/kill',
  'faults/storage/storage',
  'console/settings',
  'console/dashboard',
  'cli/binary',
  'e2e/kill-tasks',
  'faults/faults',
  'storage/change-pairs',
  'storage/log-homes',
  'http/streams',
  'console/settings-saving',
  'console/wallet',
  'e2e/start-and-stop',
  'console/users',
  'attacks/outbound',
  'tasks/sandbox',
  'console/routes',
  'e2e/package',
  'http/hang-up-moments',
  'console/playground',
  'cli/every-command',
  'e2e/fuzz',
  'attacks/sockets',
  'console/lists',
  'storage/opening',
  'e2e/journey',
  'console/channel-panel',
  'e2e/soak',
  'cli/tables',
]

const placeOf = ({ moduleId }: TestSpecification): number => {
  const at = LONGEST.findIndex((name) => moduleId.includes(`${sep}test${sep}${name.replaceAll('/', sep)}.test.`))
  return at < 0 ? LONGEST.length : at
}

/** Also where nothing has been measured yet, as in a fresh clone, where files would go by their size. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    return (await super.sort(files)).sort((a, b) => placeOf(a) - placeOf(b))
  }
}
