// All parts of the checklist, found by their files and in their order.
import { readdirSync } from 'node:fs'
import type { Claim, Part } from './claim.ts'

const folder = new URL('claims/', import.meta.url)

export const parts: readonly Part[] = await Promise.all(
  readdirSync(folder)
    .sort()
    .map(async (file) => ((await import(new URL(file, folder).href)) as { part: Part }).part),
)

export const claims: Readonly<Record<string, Claim>> = Object.assign({}, ...parts.map((part) => part.claims))
