// The screen prices, for the walk, the pictures and axe.
import { sampleMaps, samplePrices } from '../sample-prices.ts'
import { actOnRow, admins, button, fromMenu, press, screenFacts } from '../screen-facts.ts'

export const facts = screenFacts({
  walked: {
    path: '/prices',
    for: admins,
    shows: { name: /gpt|claude|sandbox/, state: /Built-in|Set here|内置|自定/, number: /\$\d/ },
    acts: {
      'set a price and see what it does': async (page) => {
        await button(page, 'Set a price')
        const panel = page.getByRole('dialog')
        await panel.getByRole('combobox', { name: 'Model' }).fill('walked-model')
        await page.keyboard.press('Enter')
        await panel.getByLabel('Input', { exact: true }).last().fill('2')
        await panel.getByText('Effect on past bills').waitFor()
        await page.keyboard.press('Control+Enter')
        await page.getByText('price of walked-model saved').waitFor()
      },
      'take a price out': async (page) => {
        await page.goto(new URL('/prices?keyword=walked-model', page.url()).href)
        await fromMenu(page, 'Remove the price')
        await page.getByRole('dialog').getByRole('button').last().click()
        await page.locator('.toast').first().waitFor()
      },
      'bring a price back': async (page) => {
        await page.getByRole('tab', { name: 'History' }).click()
        await button(page, 'Return to this price')
        await page
          .getByText(/has this price again/)
          .first()
          .waitFor()
      },
      'compare with the catalogue': async (page) => {
        await page.getByRole('tab', { name: 'Catalogue' }).click()
        await button(page, 'Compare')
        await page.getByText(/Compared with/).waitFor()
      },
    },
    unasked: {
      'settings.update': 'maps of prices are saved in test/console/price-maps.long.test.ts',
    },
  },
  states: {
    prices: { path: '/prices' },
    'a price': {
      path: '/prices',
      open: async (page) => {
        await actOnRow(page, 'Edit price')
        await page.getByRole('dialog').locator('[data-field="usd.input"] input').fill('4.4')
        await page.getByRole('dialog').locator('.price-trial table').first().waitFor()
      },
    },
    'models without a price': { path: '/prices?tab=missing' },
    'the history of prices': { path: '/prices?tab=history' },
    'prices as maps': { path: '/prices?tab=ratios' },
    'prices as a table': { path: '/prices?tab=ratios&prices=visual' },
    'models in no map of prices': { path: '/prices?tab=ratios&prices=unset' },
    'a catalogue of prices': {
      path: '/prices?tab=sync',
      open: async (page) => {
        await press(page, 'Compare')
        await page.getByRole('note').first().waitFor()
      },
    },
  },
  handlers: () => ({ ...samplePrices().handlers, 'settings.list': () => ({ data: sampleMaps() }) }),
})
