// Bodies of calls that are kept for whoever makes them: encrypted for a key of theirs, so that nobody else reads them.
import { z } from 'zod'
import { declareFields } from '../contract/field.ts'
import { namedSchemas } from '../contract/named-schemas.ts'
import { bodyFields } from './body-fields.data.ts'

/** So many tokens can be named. */
export const MOST_TOKENS = 100

/** Whose bodies are kept, and for which key. */
export const BodyKey = z.object(
  declareFields(bodyFields, {
    /** An age recipient: `age1…`. */
    recipient: z.string(),
    every_token: z.boolean(),
    token_ids: z.array(z.number()),
  }),
)
export type BodyKey = z.infer<typeof BodyKey>

export const BodyKeyForm = z.object(
  declareFields(bodyFields, {
    recipient: z
      .string()
      .trim()
      .regex(/^age1[a-z0-9]{58}$/),
    every_token: z.boolean().default(false),
    token_ids: z.array(z.number().int().min(1)).max(MOST_TOKENS).default([]),
  }),
)

/** One that is there; what it says opens with the owner's key alone. */
export const KeptBody = z.object({
  request_id: z.string(),
  token_id: z.number(),
  /** Epoch seconds. */
  created_at: z.number(),
  /** Of the ciphertext. */
  bytes: z.number(),
})
namedSchemas.add(KeptBody, { id: 'KeptBody' })
export type KeptBody = z.infer<typeof KeptBody>

/** A request or an answer as far as it is kept: as text, or in base64 where it is none. */
const Part = z.object({
  text: z.string().optional(),
  base64: z.string().optional(),
  /** Of the whole. */
  bytes: z.number(),
  /** Not all of it is kept. */
  cut: z.boolean(),
})

/** What is in the ciphertext, as JSON. */
export const BodyContent = z.object({
  request_id: z.string(),
  /** ISO 8601. */
  at: z.string(),
  request: Part,
  /** As it was passed to the caller. */
  answer: Part,
  status: z.number(),
  /** What the caller was told where nothing came of it; empty otherwise. */
  error: z.string(),
})
export type BodyContent = z.infer<typeof BodyContent>

/** Does the key's owner want those of this token kept? */
export const wants = ({ every_token, token_ids }: BodyKey, tokenId: number): boolean =>
  every_token || token_ids.includes(tokenId)
