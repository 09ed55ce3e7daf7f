// The JSON type of each member of a log row's detail.
import { z } from 'zod'
import { CallDetail } from '../../../core/calls/detail.ts'

const { properties = {} } = z.toJSONSchema(CallDetail, { unrepresentable: 'any' })

export const detailKinds: Record<string, string> = Object.fromEntries(
  Object.entries(properties).map(([name, schema]) => [name, String((schema as { type?: string }).type ?? 'any')]),
)
