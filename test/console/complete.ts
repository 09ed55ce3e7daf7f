// Fills what a sample leaves out with the plainest value its schema allows, so that an entity may grow without every
// sample naming the new field.
import { z } from 'zod'

export function complete(schema: z.ZodType, value: unknown): unknown {
  if (value === null || value === undefined) return value
  if (schema instanceof z.ZodNullable || schema instanceof z.ZodOptional)
    return complete(schema.unwrap() as z.ZodType, value)
  if (schema instanceof z.ZodArray && Array.isArray(value)) {
    return value.map((item) => complete(schema.element as z.ZodType, item))
  }
  if (!(schema instanceof z.ZodObject) || typeof value !== 'object') return value
  const given = value as Record<string, unknown>
  const fields = Object.entries(schema.shape as Record<string, z.ZodType>).map(([name, field]) => [
    name,
    name in given ? complete(field, given[name]) : plainest(field),
  ])
  return { ...given, ...Object.fromEntries(fields) }
}

function plainest(schema: z.ZodType): unknown {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodDefault) return undefined
  if (schema instanceof z.ZodNullable) return null
  if (schema instanceof z.ZodPipe) return plainest(schema.in as z.ZodType)
  if (schema instanceof z.ZodString) return ''
  if (schema instanceof z.ZodNumber) return 0
  if (schema instanceof z.ZodBoolean) return false
  if (schema instanceof z.ZodArray) return []
  if (schema instanceof z.ZodRecord) return {}
  if (schema instanceof z.ZodEnum) return schema.options[0]
  return schema instanceof z.ZodObject ? complete(schema, {}) : undefined
}
