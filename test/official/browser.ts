export { default as puppeteer, type Browser } from 'puppeteer-core';
