// The history of a price: old and new value, time and author, written with every change of a price through any
// interface.
import { z } from 'zod'

export const PriceChange = z.object({
  id: z.number(),
  /** Epoch seconds. */
  created_at: z.number(),
  user_id: z.number(),
  username: z.string(),
  model: z.string(),
  /** Empty for what it is sold at; else the channel or type that it is bought from. */
  channel: z.string(),
  /** JSON of PriceFields; empty if there was no price. */
  before: z.string(),
  after: z.string(),
  /** Source of the price: `settings`, `own`, or the name of a catalogue. */
  source: z.string(),
})
export type PriceChange = z.infer<typeof PriceChange>
export type NewPriceChange = Omit<PriceChange, 'id'>
