// The screen playground, for the walk, the pictures and axe.
import type { Page } from 'playwright-core'
import { people, press, said, screenFacts } from '../screen-facts.ts'

/** Sends a message as soon as it can be sent: until the models have loaded, Enter does nothing. */
export async function send(page: Page, text: string): Promise<void> {
  await page.getByRole('textbox', { name: said('Message') }).fill(text)
  await page.locator('.composer button[type="submit"]:enabled').waitFor()
  await page.keyboard.press('Enter')
}

/** Sends a message, and waits until every selected model has answered and the cost is shown. */
export async function say(page: Page, text: string): Promise<void> {
  await send(page, text)
  await page.locator('.turn:last-of-type .answer').first().waitFor()
  await page.waitForFunction(() => document.querySelector('.answer[aria-busy=true]') === null)
  await page.locator('.answer-measures a').first().waitFor()
}

const MARKDOWN = [
  'Here is **how**:\n\n',
  '```ts\n// greets\nconst greet = (name: string) => `Hello ${name}`\n```\n\n',
  '| size | price |\n| - | - |\n| small | 1 |\n',
]

/** Chunks of an answer, as the gateway streams them. */
export const chunks = (texts: readonly string[], usage = { prompt_tokens: 24, completion_tokens: 60 }) => [
  ...texts.map((content) => ({ choices: [{ delta: { content } }] })),
  { choices: [], usage },
]

export const facts = screenFacts({
  walked: {
    path: '/playground?model=sandbox-small',
    for: people,
    shows: { name: /Hello|你好/ },
    acts: {
      'ask a model': (page) => say(page, 'Hello there'),
    },
  },
  states: {
    playground: { path: '/playground' },
    'an answer of the playground': {
      path: '/playground?model=sandbox-large',
      open: (page) => say(page, '[[reasoning]] How do I greet somebody?'),
    },
    'models side by side': {
      path: '/playground?model=sandbox-large',
      wide: true,
      open: async (page) => {
        await press(page, 'Add another model')
        await page.getByRole('combobox').nth(2).fill('sandbox-small')
        await page.keyboard.press('Enter')
        await say(page, 'Which of you is quicker?')
      },
    },
    'the code of a call': { path: '/playground', open: (page) => press(page, 'View code') },
  },
  handlers: () => ({
    playground: () => ({
      events: [
        { choices: [{ delta: { role: 'assistant', reasoning_content: 'They want a greeting.' } }] },
        ...chunks(MARKDOWN),
      ],
      ends: true,
    }),
  }),
})
