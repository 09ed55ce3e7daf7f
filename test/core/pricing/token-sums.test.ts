// Tokens added up, against the table and against the sums as they are meant.
import { describe, expect, it } from 'vitest'
import type { Usage } from '../../../core/dialects/answers/usage.ts'
import type { PriceComponent } from '../../../core/pricing/component.ts'
import { PRICE_COMPONENTS } from '../../../core/pricing/components.ts'
import { countAllTokens, countPromptTokens } from '../../../core/pricing/token-sums.ts'

const NOTHING: Usage = {
  ...{ input: 0, cache_read: 0, cache_write: 0, cache_write_1h: 0, output: 0, reasoning: 0 },
  source: 'reported',
}
const PROMPT = ['input', 'cache_read', 'cache_write', 'cache_write_1h']

describe('sums of tokens', () => {
  it.each(Object.entries<PriceComponent>(PRICE_COMPONENTS))(
    '%s counts once, or in what it is a part of',
    (_, component) => {
      const { field } = component
      if (!field) return expect(component.kinds ?? component.unit === 'call').toBeTruthy()
      const usage = { ...NOTHING, [field]: 7 }
      expect(countAllTokens(usage)).toBe([...PROMPT, 'output'].includes(field) ? 7 : 0)
      expect(countPromptTokens(usage)).toBe(PROMPT.includes(field) ? 7 : 0)
    },
  )
})
