// The screen pricing, for the walk, the pictures and axe.
import type { Page } from 'playwright-core'
import { actOnRow, everybody, press, screenFacts } from '../screen-facts.ts'

const line = (component: string, usd: number) => ({ component, unit: 'token' as const, per: 1_000_000, usd })
const usage = { quota_type: 0, model_price: 0, has_price: true, tiers: [] }

/** Its code is loaded when it is asked for. */
async function dialogOf(page: Page, button: string): Promise<void> {
  await press(page, button)
  await page.getByRole('dialog').waitFor()
}

export const facts = screenFacts({
  walked: {
    path: '/pricing',
    for: everybody,
    shows: { name: /claude|gpt|sandbox/, number: /\$\d/ },
  },
  states: {
    pricing: { path: '/pricing' },
    'pricing for nobody': { path: '/pricing', who: 'nobody' },
    'all prices of a model': {
      path: '/pricing',
      open: async (page) => {
        await actOnRow(page, 'All prices')
        await page.getByRole('dialog').waitFor()
      },
    },
    'the formula of a price': { path: '/pricing', open: (page) => dialogOf(page, 'Show how ratios become a price') },
  },
  handlers: () => ({
    'pricing.list': () => ({
      data: [
        {
          ...{
            ...usage,
            model_name: 'claude-sonnet-4-5',
            owner_by: 'anthropic',
            model_ratio: 1.5,
            completion_ratio: 5,
          },
          enable_groups: ['vip'],
          prices: [line('input', 3), line('output', 15), line('cache_read', 0.3), line('cache_write', 3.75)],
          tiers: [{ kind: 'prompt', above: 200_000, factor: { input: 2, output: 1.5, cache_read: 2, cache_write: 2 } }],
        },
        {
          ...{ ...usage, model_name: 'gpt-4o', owner_by: 'openai', model_ratio: 1.25, completion_ratio: 4 },
          enable_groups: ['default', 'vip'],
          prices: [line('input', 2.5), line('output', 10), line('cache_read', 1.25), line('audio_input', 40)],
          tools: { web_search: 10 },
        },
        {
          ...{ ...usage, model_name: 'gpt-4o-mini', owner_by: 'openai', model_ratio: 0.075, completion_ratio: 4 },
          enable_groups: ['default'],
          prices: [line('input', 0.15), line('output', 0.6)],
        },
        {
          ...{ ...usage, model_name: 'dall-e-3', owner_by: 'openai', quota_type: 1, model_price: 0.04 },
          ...{ model_ratio: 0, completion_ratio: 0, enable_groups: ['default', 'vip'] },
          prices: [{ component: 'call', unit: 'call' as const, per: 1, usd: 0.04 }],
        },
      ],
      beside: { group_ratio: { default: 1, vip: 0.8 }, usable_group: { default: 'Everybody', vip: 'Some' } },
    }),
  }),
})
