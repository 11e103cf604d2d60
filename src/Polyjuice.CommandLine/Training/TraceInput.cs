using System.Globalization;
using System.CommandLine;
using Polyjuice.Training.Traces;

namespace Polyjuice.CommandLine;

/// <summary>The traces that a command reads.</summary>
internal static class TraceInput
{
    /// <summary>Where they are.</summary>
    public static Argument<string[]> Paths() => new("traces")
    {
        Description =
            "Files of traces, or folders of them. What silos have recorded is merged; a merged trace is read "
            + "by itself.",
        Arity = ArgumentArity.OneOrMore,
    };

    /// <summary>Where the result goes.</summary>
    public static Option<string> Out(string what) =>
        new("--out", "-o") { Description = what, HelpName = "file", Required = true };

    /// <summary>Reads them, and says what was cut.</summary>
    public static TraceReading Read(ParseResult parsed, Argument<string[]> paths, CancellationToken cancellationToken)
    {
        ArgumentNullException.ThrowIfNull(parsed);
        ArgumentNullException.ThrowIfNull(paths);
        var reading = TraceFile.Read(parsed.GetValue(paths)!, cancellationToken);
        foreach (var file in reading.Files)
        {
            if (file.Torn is { } torn)
                parsed.InvocationConfiguration.Error.WriteLine($"{file.Name}: cut at offset {file.Bytes}: {torn}.");
        }

        return reading;
    }

    /// <summary>Writes a result, and says what it is.</summary>
    public static async Task<int> WriteAsync(
        AccessTrace trace, string path, TextWriter output, CancellationToken cancellationToken)
    {
        await TraceFile.WriteAsync(trace, path, cancellationToken);
        await output.WriteLineAsync(
            string.Create(
                CultureInfo.InvariantCulture,
                $"{trace.Transactions.Length:n0} transactions with {trace.Accesses.Length:n0} accesses in {path}, "
                + $"{new FileInfo(path).Length:n0} bytes"));
        return ExitCodes.Done;
    }
}
