// Chats of other sites, and the way there.
import { claim, inFile, type Part } from '../claim.ts'

const chat = inFile('console/chat.long')

export const part: Part = {
  title: '21. Embedded chat and chat2link',
  claims: {
    '21.1': claim('A chat of another site is framed.', chat('frames a chat with the first')),
    '21.2': claim(
      'It is told the first token of the user.',
      chat('frames a chat with the first', 'are filled with the key'),
    ),
    '21.3': claim(
      'It is told the address of the server.',
      chat('frames a chat with the first', 'are filled with the key'),
    ),
    '21.4': claim('The redirect leads there with the same.', chat('leads on to the first chat')),
    '21.5': claim('The redirect says that it is jumping.', chat('says that it is jumping')),
  },
}
