using Polyjuice.Policies;
using Polyjuice.Training.Provenance;

namespace Polyjuice.Cli.Explaining;

/// <summary>The provenance that a learned table has beside it.</summary>
internal static class OriginFile
{
    /// <summary>On what load a policy was trained, in sentences; none if no file says so.</summary>
    /// <param name="named">The policy as somebody has named it.</param>
    /// <exception cref="CommandInputException">The file is there, and is no provenance.</exception>
    public static IEnumerable<string> SentencesBeside(string named)
    {
        if (!PolicySource.IsPath(named)) return [];
        var path = Path.ChangeExtension(named, ".provenance.json");
        if (!File.Exists(path)) return [];
        try
        {
            return TrainingOrigin.Parse(File.ReadAllText(path)).Sentences();
        }
        catch (FormatException exception)
        {
            throw new CommandInputException($"{path}: {exception.Message}");
        }
    }
}
