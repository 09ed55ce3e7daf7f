// The page of a key, and what loads its keys.
import { claim, inFile, type Part } from '../claim.ts'

const chat = inFile('console/chat.long')

export const part: Part = {
  title: '12. Keys page',
  claims: {
    '12.1': claim('Its address has an id.', chat('has for each client what it reads')),
    '12.2': claim(
      'Loads up to 100 tokens, and of them keeps those that are enabled.',
      chat('frames a chat with the first', 'remembers the token and the chat'),
    ),
    '12.3': claim('Loads the address of the server.', chat('frames a chat with the first')),
    '12.4': claim('Without an enabled token it says so.', chat('says where there is no token')),
    '12.5': claim('It goes to the tokens after a second and a half then.', chat('says where there is no token')),
  },
}
