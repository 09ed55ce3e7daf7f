// In which order the files of tests run: the longest first, so that both workers end together.
import { sep } from 'node:path'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** Those that take more than ten seconds, the longest first; of all others it does not matter. */
const LONGEST = [
  'e2e/fuzz',
  'cli/binary',
  'http/stored-values',
  'cli/secret',
  'e2e/start-and-stop',
  'e2e/package',
  'http/streams',
  'http/client-streams',
  'attacks/outbound',
  'faults/faults',
  'e2e/soak',
  'e2e/kill',
  'conformance/chats',
  'e2e/mounts',
  'console/shell',
  'conformance/faults',
  'http/strict-hold',
  'http/hang-up-moments',
  'e2e/journey',
  'console/tokens',
  'e2e/rescue',
  'http/upstream-failures',
  'e2e/workers',
  'console/channels',
  'http/realtime',
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
