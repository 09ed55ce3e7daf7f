// The screen register, for the walk, the pictures and axe.
import { field, press, screenFacts } from '../screen-facts.ts'

export const facts = screenFacts({
  walked: {
    path: '/register',
    for: ['nobody'],
    acts: {
      'sign up': async (page) => {
        await field(page, 'Username').fill(`new${Date.now() % 1_000_000}`)
        await page.getByLabel('Password', { exact: true }).last().fill('a good password')
        await page.getByLabel('Confirm password').last().fill('a good password')
        await page.keyboard.press('Enter')
        await page.waitForURL((url) => !url.pathname.endsWith('/register'))
      },
    },
    unasked: {
      'auth.verification': 'test/console/register.long.test.ts',
      'auth.oauthStart': 'no sign-in service is switched on; test/console/login.test.ts',
      'auth.wechat': 'no sign-in service is switched on; test/console/login.test.ts',
      'auth.loginCode': 'the second factor of another page; test/console/login.test.ts',
      'auth.passkeyAsk': 'the walked site signs up by password; test/console/login.test.ts',
      'auth.passkeyLogin': 'nobody has a passkey',
    },
  },
  states: {
    'signing up': { path: '/register', who: 'nobody' },
    'a wrong sign-up': { path: '/register', who: 'nobody', open: (page) => press(page, 'Sign up') },
  },
  handlers: () => ({
    'auth.register': ({ username }) => ({ data: { id: 9, username: String(username), role: 1, status: 1 } }),
    'auth.verification': () => ({ data: null }),
  }),
})
