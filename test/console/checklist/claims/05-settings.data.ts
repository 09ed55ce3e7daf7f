// System settings.
import { claim, inFile, type Part } from '../claim.ts'

const settings = inFile('console/settings')
const order = inFile('console/settings-order')
const special = inFile('console/settings-special.long')
const system = inFile('console/settings-system.long')
const maps = inFile('console/price-maps.long')

const FIELDS = 'the card %s has its fields'
const CARDS = 'the tab %s has its cards'
const EACH = 'every declared setting is found by its key'
const TAB = 'keeps the tab in the address'

const fields = [...settings(EACH), ...order(FIELDS)]

export const part: Part = {
  title: '5. Settings',
  claims: {
    '5.1': claim('The tab stands in `tab` of the address.', settings(TAB)),
    '5.2': claim('Choosing a tab writes it there.', settings(TAB)),
    '5.3': claim('The tabs are for administrators.', settings('leads people who are no administrators')),
    '5.4': claim(
      'There are five tabs: operation, rate limit, models, system, other.',
      order('the tabs are those of the specification'),
    ),
    '5.5': claim('The first of them opens where the address names none.', settings(TAB)),
    '5.6': claim('Operation has general settings: top-up link, docs link, quota per unit, retries, switches.', fields),
    '5.7': claim('Operation has the groups.', fields, special('has all groups in one table')),
    '5.8': claim('Operation has the maps of model ratios.', fields, maps('checks maps when they are left')),
    '5.9': claim('Operation has the ratios as a table.', maps('shows the maps as a table', 'adds and edits by ratio')),
    '5.10': claim('Operation has the models in none of the maps.', maps('lists enabled models that have neither')),
    '5.11': claim('Operation has the chat links.', fields, special('writes chat links row by row')),
    '5.12': claim('Operation has the quotas that people begin with and earn.', fields),
    '5.13': claim('Operation has drawing.', fields),
    '5.14': claim('Operation has sensitive words.', fields),
    '5.15': claim(
      'Operation has the log, and its clean-up by a date.',
      fields,
      special('cleans the log up'),
      inFile('http/log-data')('is cleaned up by date'),
    ),
    '5.16': claim('Operation has the dashboard.', fields, order('%s is %s where nobody')),
    '5.17': claim('Operation has monitoring.', fields),
    '5.18': claim('The cards of operation stand in that order.', order(CARDS), settings('each card stands on one page')),
    '5.19': claim(
      'Rate limit has how many model requests one may make.',
      fields,
      special('has the rate limits and top-up ratios'),
    ),
    '5.20': claim('Models has Gemini and Claude.', fields, order('%s is %s where nobody')),
    '5.21': claim(
      'Models has passing requests through, and keeping connections alive.',
      fields,
      special('shows fields only beside the switch'),
    ),
    '5.22': claim('System has the address of the server and the worker.', fields),
    '5.23': claim('System has payment.', fields, system('tries out whether a payment report')),
    '5.24': claim(
      'System has the switches of login and registration.',
      settings('is saved when it is pressed'),
      order(FIELDS),
    ),
    '5.25': claim('System has the list of mail domains.', fields, system('takes domains one by one')),
    '5.26': claim('System has the mail server.', fields, system('sends a test mail')),
    '5.27': claim('System has OIDC.', fields, system('reads the OIDC document')),
    '5.28': claim('System has GitHub, LinuxDO, the WeChat server, Telegram and the human check.', fields),
    '5.29': claim('The cards of system stand in that order.', order(CARDS), settings('each card stands on one page')),
    '5.30': claim(
      'Other has notice, name, logo, home page, about and footer, in that order.',
      fields,
      special('shows what notice and footer will look like'),
    ),
    '5.31': claim('Other has a check of the version.', special('shows the version, and a newer one')),
  },
}
