// The screen wallet, for the walk, the pictures and axe.
import type { TopupOrder } from '../../../core/topups/topup.ts'
import type { ShownUser } from '../../../core/users/user.ts'
import { actOnRow, button, field, people, press, said, screenFacts } from '../screen-facts.ts'
import { NOW, page, type Sample } from '../samples.ts'

const user: Sample<ShownUser, 'id'> = {
  ...{ id: 1, username: 'root', display_name: 'Root', role: 100, status: 1, group: 'default' },
  ...{ quota: 4_500_000, used_quota: 1_500_000, request_count: 321, setting: '' },
  ...{ aff_count: 4, aff_quota: 1_250_000, aff_history_quota: 2_000_000 },
}

const bought = { provider: 'epay', method: 'alipay', amount: 10, money: 7300, currency: 'cny', quota: 5_000_000 }
export const orders: Sample<TopupOrder, 'id'>[] = [
  { ...bought, id: 3, user_id: 1, trade_no: 'USR1NOabc3', status: 'expired', create_time: NOW },
  {
    ...{ ...bought, id: 2, user_id: 1, trade_no: 'USR1NOabc2', status: 'success', create_time: NOW - 9000 },
    ...{ paid_time: NOW - 8900, provider_trade_no: '20260917001' },
  },
]

export const facts = screenFacts({
  walked: {
    path: '/topup',
    for: people,
    shows: { name: /USR\dNOseed/, state: /paid|已支付/, number: /\$\d/ },
    acts: {
      'redeem a code': async (page) => {
        await field(page, 'Redemption code').fill('no such code')
        await page.keyboard.press('Enter')
        await page.getByText('No such code').waitFor()
      },
      'transfer earnings': async (page) => {
        await button(page, 'Transfer to the balance')
        await page.keyboard.press('Control+Enter')
        await page.getByRole('dialog').waitFor({ state: 'hidden' })
      },
      "print the invoice of somebody else's order": async (page) => {
        const everybodys = page.getByLabel('Orders of all users')
        // Administrators see them.
        if ((await everybodys.count()) === 0) return
        await page.goto(new URL('/topup?all=true', page.url()).href)
        const order = page.getByRole('row').filter({ hasText: 'USR3NO' })
        await order
          .getByRole('button', { name: /^Invoice/ })
          .first()
          .click()
        await page.getByRole('dialog').getByText('Amount paid').waitFor()
      },
    },
  },
  states: {
    wallet: { path: '/topup' },
    'earnings to transfer': { path: '/topup', open: (page) => press(page, 'Transfer to the balance') },
    'an invoice': {
      path: '/topup',
      open: async (page) => {
        await actOnRow(page, 'Invoice')
        await page.getByRole('dialog').getByText(said('Amount paid')).waitFor()
      },
    },
  },
  handlers: () => ({
    'users.self': () => ({ data: user }),
    'users.get': ({ id }) => ({ data: { ...user, id: Number(id), username: 'bob', display_name: 'Bob' } }),
    'users.affTransfer': () => ({ data: null }),
    'usage.querySelf': () => ({
      data: {
        from: 0,
        to: 0,
        steps: [],
        rows: [{ at: Date.now() / 1000 - 3 * 86_400, quota: 1_500_000 }],
        groups: 1,
        total: {},
      },
    }),
    'topups.list': () => ({ data: page([...orders, { ...orders[1]!, id: 1, user_id: 7, trade_no: 'USR7NOabc1' }]) }),
    'topups.listSelf': () => ({ data: page(orders) }),
    'redemptions.redeem': () => ({ data: 500_000 }),
  }),
})
