// The side menu.
import { claim, inFile, type Part } from '../claim.ts'

const menu = inFile('console/menu')
const site = inFile('console/site-pages.long')

const WHO = 'shows administrators their menu'
const FLAGS = 'shows in the menu what is switched on'
const FOLDS = 'collapses the side menu'

export const part: Part = {
  title: '19. Side menu',
  claims: {
    '19.1': claim('Begins with the playground.', menu(WHO)),
    '19.2': claim('Has the saved chats below one entry.', site('has the saved chats in their order')),
    '19.3': claim('A group of the console: dashboard, tokens, usage log, drawing log, task log.', menu(WHO)),
    '19.4': claim('The dashboard is hidden unless `enable_data_export` is true.', menu(FLAGS)),
    '19.5': claim('The drawing log is hidden unless `enable_drawing` is true.', menu(FLAGS)),
    '19.6': claim('The task log is hidden unless `enable_task` is true.', menu(FLAGS)),
    '19.7': claim('A group of administrators: channels, codes, users, settings.', menu(WHO)),
    '19.8': claim('Nobody else has that group.', menu(WHO)),
    '19.9': claim('A group of one’s own: wallet, personal settings.', menu(WHO)),
    '19.10': claim('Can be collapsed.', menu(FOLDS)),
    '19.11': claim(
      'Whether it is collapsed is remembered in `default_collapse_sidebar`.',
      menu(FOLDS, 'begins as the operator says'),
    ),
    '19.12': claim('Is 200 px wide, and 60 px collapsed.', menu(FOLDS)),
  },
}
