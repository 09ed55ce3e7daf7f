// In which order the files of tests run: the longest first, so that both workers end together.
import { sep } from 'node:path'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** Those that take more than ten seconds, the longest first; of all others it does not matter. */
const LONGEST = [
  'e2e/start-and-stop',
  'conformance/chats',
  'http/stored-values',
  'e2e/fuzz',
  'http/streams',
  'e2e/package',
  'cli/binary',
  'http/client-streams',
  'conformance/faults',
  'attacks/bodies',
  'attacks/outbound',
  'e2e/kill',
  'e2e/soak',
  'http/hang-up-moments',
  'console/shell',
  'e2e/mounts',
  'http/strict-hold',
  'attacks/sockets',
  'faults/faults',
  'cli/secret',
  'e2e/journey',
  'http/upstream-failures',
  'e2e/rescue',
  'http/realtime',
  'http/unserved-models',
  'http/large-bodies',
  'console/tokens',
  'attacks/requests',
  'console/channels',
  'e2e/workers',
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
