// The screen login, for the walk, the pictures and axe.
import { field, screenFacts } from '../screen-facts.ts'

export const facts = screenFacts({
  walked: {
    path: '/login',
    for: ['nobody'],
    acts: {
      'sign in with a wrong password': async (page) => {
        await field(page, 'Username or email').fill('ada')
        await page.getByLabel('Password', { exact: true }).last().fill('not her password')
        await page.keyboard.press('Enter')
        await page.getByRole('alert').first().waitFor()
      },
      'sign in': async (page) => {
        await field(page, 'Username or email').fill('ada')
        await page.getByLabel('Password', { exact: true }).last().fill('a good password')
        await page.keyboard.press('Enter')
        await page.waitForURL((url) => !url.pathname.endsWith('/login'))
      },
    },
    unasked: {
      'auth.loginCode': 'test/console/shell.test.ts',
      'auth.oauthStart': 'test/console/shell.test.ts',
      'auth.wechat': 'test/console/login.test.ts: the walked site has no WeChat account',
      'auth.passkeyAsk': 'a bare address has no passkeys',
      'auth.passkeyLogin': 'nobody has a passkey',
    },
  },
  states: {
    login: { path: '/login', who: 'nobody' },
  },
})
