// A remark of administrators on a channel, a user or a redemption code. Only administrators see it.
import { z } from 'zod'
import { words } from '../errors.ts'
import type { FieldDeclaration } from './field.ts'

/** Longest remark, in characters. */
export const MAX_REMARK_LENGTH = 255

export const RemarkText = z.string().trim().max(MAX_REMARK_LENGTH)

export const remarkFieldDeclaration = {
  label: words('Remark'),
  help: words('Remark that only administrators see, up to 255 characters'),
  example: 'ask for the invoice',
} as const satisfies FieldDeclaration
