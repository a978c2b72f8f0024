import { expect, it } from 'vitest'
import type { CopySetting } from './backup-schemas.ts'
import { regionsNamed } from './copies.ts'

const zoneId = '64b7e2d30f3a5d6e7f809312'
const copySettings = [
  { cloudProvider: 'AWS', regionName: 'EU_WEST_1', zoneId },
  { cloudProvider: 'AWS', regionName: 'US_EAST_1' },
]

it.each<[CopySetting, string[]]>([
  [{ regionName: 'EU_WEST_1' }, ['EU_WEST_1']],
  [{ regionName: 'EU_WEST_1', cloudProvider: 'AWS', zoneId }, ['EU_WEST_1']],
  [{ regionName: 'EU_WEST_1', cloudProvider: 'AZURE' }, []],
  [{ regionName: 'EU_WEST_1', zoneId: '0123456789abcdef01234567' }, []],
  [{ regionName: 'US_EAST_1', zoneId }, ['US_EAST_1']],
  [{ regionName: 'AP_SOUTH_1', cloudProvider: 'AWS' }, ['AP_SOUTH_1']],
  [{ cloudProvider: 'AWS' }, ['EU_WEST_1', 'US_EAST_1']],
  [{ frequencies: ['MONTHLY'] }, []],
])('the setting %j selects the copies in %j', (named, regions) => {
  expect([...regionsNamed([named], { copySettings })]).toEqual(regions)
})
