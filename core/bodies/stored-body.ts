// Stored bodies of a user's calls, encrypted with the user's key, so that no one else can read them.
import { z } from 'zod'
import { declareShapeFields } from '../contract/field.ts'
import { bodyFields } from './body-fields.data.ts'

/** Maximum number of tokens to name. */
export const MOST_TOKENS = 100

/** The calls whose bodies are stored, and the key that encrypts them. */
export const BodyKey = z.object(
  declareShapeFields(bodyFields, {
    /** An age recipient: `age1…`. */
    recipient: z.string(),
    every_token: z.boolean(),
    token_ids: z.array(z.number()),
  }),
)
export type BodyKey = z.infer<typeof BodyKey>

export const BodyKeyForm = z.object(
  declareShapeFields(bodyFields, {
    recipient: z
      .string()
      .trim()
      .regex(/^age1[a-z0-9]{58}$/),
    every_token: z.boolean().default(false),
    token_ids: z.array(z.number().int().min(1)).max(MOST_TOKENS).default([]),
  }),
)

/** A stored body. Only the owner's key decrypts its content. */
export const StoredCallBody = z.object({
  request_id: z.string(),
  token_id: z.number(),
  /** Epoch seconds. */
  created_at: z.number(),
  /** Size of the ciphertext. */
  bytes: z.number(),
})
z.globalRegistry.add(StoredCallBody, { id: 'KeptBody' })
export type StoredCallBody = z.infer<typeof StoredCallBody>

/** The stored part of a request or an answer: as text, or as base64 if it is not text. */
const Part = z.object({
  text: z.string().optional(),
  base64: z.string().optional(),
  /** Size of the whole body. */
  bytes: z.number(),
  /** True if only a part of it is stored. */
  cut: z.boolean(),
})

/** The decrypted content, as JSON. */
export const BodyContent = z.object({
  request_id: z.string(),
  /** ISO 8601. */
  at: z.string(),
  request: Part,
  /** As it was sent to the client. */
  answer: Part,
  status: z.number(),
  /** The error that the client received; empty if there was none. */
  error: z.string(),
})
export type BodyContent = z.infer<typeof BodyContent>

/** True if the bodies of this token are to be stored. */
export const isTokenIncluded = ({ every_token, token_ids }: BodyKey, tokenId: number): boolean =>
  every_token || token_ids.includes(tokenId)
