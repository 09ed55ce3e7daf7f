// Faults that were made on purpose, and the test that found each.
import type { Breakage } from './claim.ts'

/** Of the draw. */
export const SEED = 20261123

/** In the order of the draw. */
export const broken: readonly Breakage[] = [
  {
    claim: '7.14',
    broken: 'Batch mode was kept by the page alone, not by the browser.',
    test: 'console/channel-options: begins as it was left: order, tags, batch mode and columns',
    said: 'Batch mode: expected false to be true',
  },
  {
    claim: '7.11',
    broken: 'Only channels that were switched off by themselves were shaded, not those that somebody switched off.',
    test: 'console/channels: shows state, reason and speed, and shades what is out of use',
    said: 'Practice: expected false to be true',
    learned:
      'It stayed green at first: it looked at one of the two states. It looks at both now, and at one that is not shaded; so does the test of the codes.',
  },
  {
    claim: '5.12',
    broken: 'The quota of who was invited stood on the card of general settings.',
    test: 'console/settings-order: the card %s has its fields, in their order',
    said: "expected [ 'QuotaForNewUser', …(2) ] to deeply equal [ 'QuotaForNewUser', …(3) ]",
  },
  {
    claim: '0.22',
    broken: 'The page of an unknown address had the path as its title, and not the words.',
    test: 'console/routes: lets nobody in where one has to be signed in, and everybody where not',
    said: '/no/such/place: expected +0 to be 1',
  },
  {
    claim: '19.6',
    broken: 'The task log stood in the menu whatever the status said.',
    test: 'console/menu: shows in the menu what is switched on: %s alone',
    said: "expected [ '/detail', '/task' ] to deeply equal [ '/detail' ]",
  },
  {
    claim: '6.2',
    broken: 'The link was asked for without waiting for the human check.',
    test: 'console/reset: asks for a link, waits for the human check, and rests for 30 s',
    said: "waiting for getByText('Please wait a few seconds, the bot check is examining the environment') to be visible",
  },
  {
    claim: '11.12',
    broken: 'The server answered the list of one’s own calls with those of everybody.',
    test: 'http/two-tenants: tokens, log rows and figures are in no list',
    said: 'expected [ { id: 4, type: 2, …(19) } ] to deeply equal []',
    learned:
      'The tests named at first stayed green: one is answered by a small server, the other asks the search. This one, which was there, is named now.',
  },
  {
    claim: '19.9',
    broken: 'The wallet stood in the group of the console.',
    test: 'console/menu: shows administrators their menu, and nobody else',
    said: "expected [ '/playground', '/chat', …(11) ] to deeply equal [ '/playground', '/chat', …(11) ]",
  },
  {
    claim: '21.2',
    broken: 'The chat got the last enabled token, not the first.',
    test: 'console/chat.long: frames a chat with the first enabled token and the address, and says who gets the key',
    said: 'Expected: …/weir.svg?key=sk-Weir0003…, received: …/weir.svg?key=sk-Weir0004…',
    learned:
      'It stayed green at first: one token alone was enabled. There are several now, behind one that is off; so there are where the redirect is tested.',
  },
  {
    claim: '7.7',
    broken: 'The panel of a tag sent no models.',
    test: 'console/channel-list.long: groups channels by tag, opens them, and changes those of a tag at once',
    said: '- "models": "o3", + "models": "",',
    learned:
      'It stayed green at first: it changed name, mapping and weight alone. It changes models and groups, too, and takes them back.',
  },
]
