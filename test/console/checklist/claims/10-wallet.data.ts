// The wallet.
import { claim, inFile, type Part } from '../claim.ts'

const wallet = inFile('console/wallet')

export const part: Part = {
  title: '10. Wallet',
  claims: {
    '10.1': claim('Is called “My wallet”.', wallet('leads to where codes are sold')),
    '10.2': claim('Shows the balance.', wallet('warns below what the user has set')),
    '10.3': claim(
      'Has a part for redeeming codes.',
      wallet('redeems a code that is typed in'),
      inFile('http/redemptions')('adds its quota once'),
    ),
    '10.4': claim(
      'Has a part for topping up online.',
      wallet('asks what an amount costs', 'says that online top-up is not enabled'),
      inFile('http/topups')('gets a signed form'),
    ),
  },
}
