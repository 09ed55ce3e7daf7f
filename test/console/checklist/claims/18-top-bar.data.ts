// The bar on top.
import { claim, inFile, type Part } from '../claim.ts'

const site = inFile('console/site-pages.long')
const shell = inFile('console/shell')

const PLACES = 'has the main places in their order'
const REGISTER = 'offers to register, but not'
const LOOKS = 'changes language and theme'

export const part: Part = {
  title: '18. Top bar',
  claims: {
    '18.1': claim('Leads home.', site(PLACES)),
    '18.2': claim('Leads to the console: the dashboard.', site(PLACES)),
    '18.3': claim('Leads to the prices.', site(PLACES)),
    '18.4': claim('Leads to the docs, only where a link is set.', site(PLACES)),
    '18.5': claim('The docs open outside of the console.', site(PLACES)),
    '18.6': claim('Leads to the page about the site.', site(PLACES)),
    '18.7': claim('Switches between dark and light.', shell(LOOKS)),
    '18.8': claim('Has a menu of languages: Chinese and English.', shell(LOOKS)),
    '18.9': claim('Has a menu of the user, who signs out by it.', shell('signs out')),
    '18.10': claim('Nobody is offered to sign in and to register.', site(REGISTER)),
    '18.11': claim('Registering is hidden in self-use mode.', site(REGISTER)),
    '18.12': claim('Registering is hidden on a phone.', site(REGISTER)),
    '18.13': claim('Has a badge of self-use mode.', site(REGISTER), shell('shows the badge of the site')),
    '18.14': claim('Has a badge of a demo site.', site(REGISTER)),
    '18.15': claim('Has a surprise on New Year’s Day.', site("has fireworks on New Year's Day")),
  },
}
