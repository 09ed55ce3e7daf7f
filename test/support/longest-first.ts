// In which order the files of tests run: the longest first, so that both workers end together.
import { sep } from 'node:path'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** Those that take more than ten seconds, the longest first; of all others it does not matter. */
const LONGEST = [
  'e2e/kill',
  'cli/binary',
  'e2e/fuzz',
  'storage/log-homes',
  'e2e/standing-page',
  'conformance/chats',
  'e2e/kill-tasks',
  'attacks/outbound',
  'core/quota/quota-leases',
  'e2e/start-and-stop',
  'http/stored-values',
  'console/shell',
  'cli/backup',
  'storage/transfer',
  'http/streams',
  'faults/faults',
  'e2e/soak',
  'attacks/bodies',
  'storage/rotation',
  'console/tokens',
  'cli/pictures',
  'http/client-streams',
  'storage/audited-changes',
  'storage/sealed-places',
  'http/openapi',
  'e2e/workers',
  'http/hang-up-moments',
  'conformance/faults',
  'e2e/state-day',
  'console/channels',
  'e2e/package',
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
