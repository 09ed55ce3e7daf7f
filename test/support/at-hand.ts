// Answers of providers to test with: scripted ones, from the vendors' documentation, and the recorded ones where they lie
// beside the repository.
import { scripted } from '../vendors/scripted.ts'
import { recordedAnswers, recordingsHere, type Recording } from './recordings.ts'

/** What providers really answered; where that is not at hand, what scripted vendors do. */
export const allRecordings = (): readonly Recording[] => (recordingsHere ? recordedAnswers() : scripted)

/** All answers of a wire format, from every provider: the scripted ones, too. */
export const recordingsOf = (api: string): Recording[] =>
  [...scripted, ...recordedAnswers()].filter((recording) => recording.api === api)

/** One recording by its id; undefined where recordings are absent. */
export const recordingById = (api: string, id: string): Recording | undefined =>
  recordingsOf(api).find((recording) => recording.id === id)
