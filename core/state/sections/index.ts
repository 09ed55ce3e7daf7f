// Every section of the state, in the order of the file: a new kind of thing is one file and one line here.
import type { Section } from '../section.ts'
import { alertsSection } from './alerts.ts'
import { channelsSection } from './channels.ts'
import { groupsSection } from './groups.ts'
import { pricesSection, purchasePricesSection, toolPricesSection } from './prices.ts'
import { redemptionsSection } from './redemptions.ts'
import { settingsSection } from './settings.ts'
import { signInServicesSection } from './sign-in-services.ts'
import { teamsSection } from './teams.ts'
import { tokensSection } from './tokens.ts'
import { usersSection } from './users.ts'

export const sections: readonly Section[] = [
  settingsSection,
  groupsSection,
  channelsSection,
  pricesSection,
  purchasePricesSection,
  toolPricesSection,
  signInServicesSection,
  redemptionsSection,
  alertsSection,
  usersSection,
  teamsSection,
  tokensSection,
]
