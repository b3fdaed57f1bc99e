import { comparePlaces } from './prompts/compare-places.ts';
import { dailyBriefing } from './prompts/daily-briefing.ts';
import { packForTrip } from './prompts/pack-for-trip.ts';
import { severeWeatherCheck } from './prompts/severe-weather-check.ts';

export const prompts = [dailyBriefing, packForTrip, comparePlaces, severeWeatherCheck];
