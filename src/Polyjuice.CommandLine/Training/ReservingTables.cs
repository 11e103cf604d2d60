using Polyjuice.Policies;
using Polyjuice.Training;
using Polyjuice.Training.Replay;

namespace Polyjuice.CommandLine;

/// <summary>Tables whose transactions reserve what they declare, which a replay has to declare then.</summary>
internal static class ReservingTables
{
    /// <summary>A replay that can follow tables; says of each that reserves what that means.</summary>
    /// <param name="settings">The replay.</param>
    /// <param name="tables">The tables.</param>
    /// <param name="output">Where it says so.</param>
    public static ReplaySettings Follow(ReplaySettings settings, IEnumerable<PolicyDocument> tables, TextWriter output)
    {
        ArgumentNullException.ThrowIfNull(settings);
        ArgumentNullException.ThrowIfNull(tables);
        ArgumentNullException.ThrowIfNull(output);
        foreach (var table in tables.Where(TableTrainer.Reserves))
        {
            settings = settings with { DeclaresAccesses = true };
            output.WriteLine(
                $"{table.Name} reserves: replayed transactions declare what they access, whether the "
                + "application's do or not");
        }

        return settings;
    }
}
