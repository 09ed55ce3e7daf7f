// Redemption codes.
import { claim, inFile, type Part } from '../claim.ts'

const codes = inFile('console/redemptions')
const server = inFile('http/redemptions')

export const part: Part = {
  title: '9. Redemption management',
  claims: {
    '9.1': claim('Codes are searched.', codes('lists codes with their states'), server('D2: is changed only while')),
    '9.2': claim('Has a table of codes with their states.', codes('lists codes with their states')),
    '9.3': claim('Codes are made in a panel.', codes('makes codes, named after'), server('is given with its id')),
    '9.4': claim('Codes are changed in a panel.', codes('changes only what nobody has used')),
  },
}
