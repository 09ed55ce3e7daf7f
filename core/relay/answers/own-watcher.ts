// Watches an answer that passes in its caller's own format: proofs of what was thought are remembered, and its model is
// given the name that was asked for where the channel says so.
import type { Dialect } from '../../dialects/dialect.ts'
import type { StreamFinding, Watcher } from '../../dialects/glance.ts'
import type { RequestHead } from '../../dialects/head.ts'
import { changingWatcher, namingWatcher } from '../../dialects/named-answer.ts'
import type { SignatureOwner } from './reading-dialect.ts'

/**
 * @param model the name that its caller is to read, where that is another than the provider says
 * @param isTidied what strict clients refuse is mended
 */
export function createPassthroughWatcher(
  dialect: Dialect,
  head: RequestHead,
  model: string | undefined,
  maker: SignatureOwner | undefined,
  isTidied = false,
): Watcher {
  const watcher = dialect.watcher(head)
  const proving = maker && dialect.proves ? provingWatcher(watcher, maker) : watcher
  const tidied = isTidied && dialect.tidy ? tidyingWatcher(proving, dialect.tidy.stream()) : proving
  return model === undefined ? tidied : namingWatcher(tidied, model, dialect.modelKeys)
}

const tidyingWatcher = (watcher: Watcher, tidy: (data: string) => string): Watcher =>
  changingWatcher(watcher, (frame) => [{ ...frame, data: tidy(frame.data) }])

/** Proofs in what passes are remembered with their maker. */
function provingWatcher(watcher: Watcher, maker: SignatureOwner): Watcher {
  const noted = (glance: StreamFinding): StreamFinding => {
    if (glance.proof !== undefined) maker.note(glance.proof)
    if (glance.compaction !== undefined) maker.note(glance.compaction)
    return glance
  }
  return {
    look: (run) => noted(watcher.look(run)),
    close: () => noted(watcher.close()),
    breakOff: (failure) => watcher.breakOff?.(failure),
    outputEstimate: () => watcher.outputEstimate(),
    sound: () => watcher.sound(),
    answered: () => watcher.answered(),
    finished: () => watcher.finished(),
  }
}
