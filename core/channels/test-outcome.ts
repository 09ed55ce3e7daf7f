// The results of a channel's tests: tester, time and model. The last ones of each channel are stored.
import { z } from 'zod'

export const TestOutcome = z.object({
  channel_id: z.number(),
  /** When it was over, in epoch seconds. */
  tested_at: z.number(),
  /** 0 and the empty text: the gateway itself, on its schedule. */
  user_id: z.number(),
  username: z.string(),
  model: z.string(),
  passed: z.boolean(),
  /** Unit: ms. */
  ms: z.number(),
  /** HTTP status and message of the failure, without keys; 0 and empty if the test passed. */
  status: z.number(),
  error: z.string(),
})
z.globalRegistry.add(TestOutcome, { id: 'TestOutcome' })
export type TestOutcome = z.infer<typeof TestOutcome>

/** Number of results stored per channel. */
export const KEPT_TEST_RESULTS = 20

export interface ChannelTestStore {
  /** Stores the result, and at most KEPT_TESTS of its channel. */
  insert(outcome: TestOutcome): Promise<void>
  /** Newest first. */
  ofChannel(channelId: number): Promise<TestOutcome[]>
  /** The last of each channel. */
  last(): Promise<TestOutcome[]>
  /** Deletes the results of deleted channels. */
  deleteOrphans(): Promise<void>
}

/** The user who tests; null for the schedule. */
export type TestingUser = { id: number; username: string } | null
