using System.Globalization;
using System.Security.Cryptography;
using System.Text;
using Polyjuice.Training.Traces;

namespace Polyjuice.Training.Provenance;

/// <summary>Tells traces apart by what they hold, however they are kept.</summary>
internal static class TraceDigest
{
    /// <summary>
    /// SHA-256 of a trace's types, sites, participants, windows, transactions and accesses, in hexadecimal. Names of
    /// silos and grains' keys are not part of it.
    /// </summary>
    /// <param name="trace">The trace.</param>
    public static string Of(AccessTrace trace)
    {
        ArgumentNullException.ThrowIfNull(trace);
        using var hash = IncrementalHash.CreateHash(HashAlgorithmName.SHA256);
        var text = new StringBuilder();
        foreach (var type in trace.Types) Line($"type {type}");
        foreach (var site in trace.Sites) Line($"site {site.Key.Type} {site.Key.Name} {site.IsRepeated}");
        foreach (var participant in trace.Participants)
            Line($"participant {participant.Grain} {participant.State} {participant.Silo}");
        foreach (var window in trace.Windows) Line($"window {window.StartMicroseconds} {window.EndMicroseconds}");
        foreach (var transaction in trace.Transactions)
        {
            Line(
                $"transaction {transaction.Type} {transaction.ArrivalMicroseconds} {transaction.Silo} {transaction.Attempts} {(int)transaction.Outcome} {transaction.IsReadOnly}");
            foreach (var access in trace.AccessesOf(transaction))
                Line(
                    $"{access.Site} {access.Participant} {access.AtMicroseconds} {access.ComputeMicroseconds} {(int)access.Flags}");
        }

        Flush();
        return Convert.ToHexStringLower(hash.GetHashAndReset());

        void Line(FormattableString line)
        {
            text.Append(line.ToString(CultureInfo.InvariantCulture)).Append('\n');
            if (text.Length > 1 << 16) Flush();
        }

        void Flush()
        {
            hash.AppendData(Encoding.UTF8.GetBytes(text.ToString()));
            text.Clear();
        }
    }
}
