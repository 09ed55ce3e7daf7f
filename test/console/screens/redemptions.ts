// The screen redemptions, for the walk, the pictures and axe.
import type { RedemptionCode } from '../../../core/redemptions/redemption.ts'
import { admins, button, field, fromMenu, press, said, screenFacts } from '../screen-facts.ts'
import { NOW, page, type Sample } from '../samples.ts'

export const code = (id: number, change: Partial<RedemptionCode> = {}): Sample<RedemptionCode, 'id'> => ({
  ...{ id, user_id: 1, name: 'spring', key: `code${String(id).padStart(28, '0')}`, status: 1, quota: 500_000 },
  ...{ created_time: NOW - 86_400, redeemed_time: 0, used_user_id: 0, version: 1 },
  ...change,
})

/** Three of a batch in each state, and one of another. */
export const codes = [
  code(14, { name: 'autumn', created_time: NOW, quota: 5_000_000 }),
  code(13, { status: 3, used_user_id: 7, redeemed_time: NOW - 3600 }),
  code(12, { status: 2 }),
  code(11),
]

export const facts = screenFacts({
  walked: {
    path: '/redemption',
    for: admins,
    shows: { name: /spring|autumn/, state: /used|使用/, number: /\$\d/ },
    acts: {
      'create codes': async (page) => {
        await button(page, 'Create codes')
        await field(page, 'Name').fill('walked')
        await page.keyboard.press('Control+Enter')
        await page.getByText('1 created, named walked').waitFor()
      },
      search: async (page) => {
        await page.getByLabel('Keyword').fill('spring')
        await page.keyboard.press('Enter')
        await page.waitForURL(/keyword=spring/)
      },
    },
  },
  states: {
    'redemption codes': { path: '/redemption' },
    'new codes': { path: '/redemption', open: (page) => press(page, 'Create codes') },
    'a batch of codes': { path: '/redemption', open: (page) => fromMenu(page, 'Batch') },
    'a code to look at': {
      path: '/redemption',
      open: async (page) => {
        await fromMenu(page, 'View')
        await page.getByRole('dialog').getByText(said('Address that fills in the code')).waitFor()
      },
    },
    'a sheet of codes': {
      path: '/redemption',
      open: async (page) => {
        await fromMenu(page, 'Batch')
        await page
          .getByRole('dialog')
          .getByRole('button', { name: said('Printable sheet') })
          .click()
        await page.locator('.print-preview svg').first().waitFor()
      },
    },
  },
  handlers: () => ({
    'redemptions.list': () => ({ data: { ...page(codes), next_cursor: '' } }),
    'redemptions.search': ({ keyword }) => ({
      data: { ...page(codes.filter(({ name }) => name!.startsWith(String(keyword)))), next_cursor: '' },
    }),
    'redemptions.get': ({ id }) => ({ data: codes.find((each) => each.id === Number(id)) ?? code(Number(id)) }),
    'redemptions.create': ({ name, quota, count }) => {
      const made = Array.from({ length: Number(count) }, (_, at) =>
        code(20 + at, { name: String(name), quota: Number(quota), created_time: NOW }),
      )
      return { data: made.map(({ key }) => key!), beside: { codes: made } }
    },
    'redemptions.update': ({ id, ...change }) => ({ data: code(Number(id), change as Partial<RedemptionCode>) }),
    'redemptions.delete': () => ({ data: null }),
  }),
})
