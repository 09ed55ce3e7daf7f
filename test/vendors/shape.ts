// Holds a request against the declared shape of a door and tells the first thing that is wrong with it.
import type { z } from 'zod'
import type { Json } from '../support/json.ts'

export interface Misfit {
  path: (string | number)[]
  kind: 'unknown' | 'missing' | 'invalid'
  message: string
}

type Issue = z.core.$ZodIssue

/** The first misfit, unknown fields before all others; undefined where the body fits. */
export function misfitOf(shape: z.ZodType, body: unknown): Misfit | undefined {
  const { error } = shape.safeParse(body)
  if (!error) return undefined
  const misfits = error.issues.flatMap((issue) => read(issue, body))
  return misfits.find(({ kind }) => kind === 'unknown') ?? misfits[0]
}

function read(issue: Issue, body: unknown, above: (string | number)[] = []): Misfit[] {
  const path = [...above, ...(issue.path as (string | number)[])]
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((key) => ({ path: [...path, key], kind: 'unknown', message: issue.message }))
  }
  if (issue.code === 'invalid_union' && issue.errors.length > 0) return closest(issue.errors, body, path)
  const missing = issue.code === 'invalid_type' && at(body, path) === undefined
  return [{ path, kind: missing ? 'missing' : 'invalid', message: issue.message }]
}

/** What is wrong by the reading of a union that came furthest. */
function closest(readings: readonly Issue[][], body: unknown, path: (string | number)[]): Misfit[] {
  const all = readings.map((issues) => issues.flatMap((issue) => read(issue, body, path)))
  const depth = (misfits: Misfit[]) =>
    Math.max(...misfits.map(({ path: { length }, kind }) => length - Number(kind === 'unknown')))
  return all.sort((one, other) => depth(other) - depth(one))[0] ?? []
}

const at = (value: unknown, path: readonly (string | number)[]): unknown =>
  path.reduce((inner: unknown, key) => (inner as Record<string | number, unknown> | undefined)?.[key], value)

/** Every place in a body where the field of a path stands. A star in the path is each element of a list. */
export function placesOf(value: Json, [key = '', ...below]: readonly string[]): string[] {
  if (typeof value !== 'object' || value === null) return []
  const keys = key === '*' ? Object.keys(value) : key in value ? [key] : []
  if (below.length === 0) return keys
  return keys.flatMap((one) => placesOf(value[one], below).map((place) => `${one}.${place}`))
}
