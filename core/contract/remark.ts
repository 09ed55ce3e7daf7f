// A remark of administrators on a channel, a user or a redemption code. Only administrators see it.
import { z } from 'zod'
import { words } from '../errors.ts'
import type { Field } from './field.ts'

/** Longest remark, in characters. */
export const MAX_REMARK = 255

export const Remark = z.string().trim().max(MAX_REMARK)

export const remarkField = {
  label: words('Remark'),
  help: words('Remark that only administrators see, up to 255 characters'),
  example: 'ask for the invoice',
} as const satisfies Field
