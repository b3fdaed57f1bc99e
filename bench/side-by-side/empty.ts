// A program that does nothing but to answer and to wait for its end, as a server does.
process.stdout.write('\n');
process.stdin.resume();

export {};
