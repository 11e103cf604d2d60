namespace Smallbank;
internal static class QuickStart { public static Task RunAsync(TextWriter output) => Task.CompletedTask; }
