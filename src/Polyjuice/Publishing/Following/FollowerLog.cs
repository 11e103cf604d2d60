using Microsoft.Extensions.Logging;

namespace Polyjuice.Publishing.Following;

/// <summary>Every line that followers log.</summary>
internal static partial class FollowerLog
{
    [LoggerMessage(
        1, LogLevel.Information, "Policy {Policy} (release {Release} of {Location}) is in force now. {Trial}")]
    public static partial void Taken(this ILogger logger, string policy, int release, string location, string trial);

    [LoggerMessage(2, LogLevel.Information, "Release {Release} of {Location} has stood its trial: {Figures}.")]
    public static partial void Kept(this ILogger logger, int release, string location, string figures);

    [LoggerMessage(
        3, LogLevel.Warning, "Release {Release} of {Location} stays, but nobody knows how good it is: {Why}.")]
    public static partial void NotJudged(this ILogger logger, int release, string location, string why);

    [LoggerMessage(
        4, LogLevel.Error,
        "Release {Release} of {Location} is worse than what was there before, so policy {Policy} is in force here "
        + "again. {Why}.")]
    public static partial void PutBack(this ILogger logger, int release, string location, string policy, string why);

    [LoggerMessage(
        5, LogLevel.Warning, "Entry {Entry} of {Location} takes release {Release} back for all who follow it.")]
    public static partial void RolledBack(this ILogger logger, int entry, string location, int release);

    [LoggerMessage(
        6, LogLevel.Error,
        "The rollback of release {Release} of {Location} could not be published, so it holds here alone: {Why} It is "
        + "not taken here again. Other silos judge for themselves; to take it back everywhere, use 'polyjuice policy "
        + "rollback'.")]
    public static partial void NotRolledBack(this ILogger logger, int release, string location, string why);

    [LoggerMessage(
        7, LogLevel.Error, "Release {Release} of {Location} can't be used here; policy {Policy} is in force. {Why}")]
    public static partial void Refused(this ILogger logger, int release, string location, string policy, string why);

    [LoggerMessage(
        8, LogLevel.Error,
        "Entry {Entry} of {Location} {Problem}. Nothing from there on counts, and the policy in force stays, until it "
        + "is restored.")]
    public static partial void Broken(this ILogger logger, int entry, string location, string problem);

    [LoggerMessage(9, LogLevel.Error, "Entry {Entry} of {Location} {Problem}. It is passed over.")]
    public static partial void PassedOver(this ILogger logger, int entry, string location, string problem);

    [LoggerMessage(10, LogLevel.Warning, "{Location} can't be read; the policy in force stays, and it is tried again.")]
    public static partial void NotReadable(this ILogger logger, Exception exception, string location);

    [LoggerMessage(11, LogLevel.Information, "{Location} can be read again.")]
    public static partial void ReadableAgain(this ILogger logger, string location);

    [LoggerMessage(
        12, LogLevel.Warning,
        "Something other than the published releases has put policy {Policy} in force. It stays until the next entry "
        + "of {Location}, and is on no trial.")]
    public static partial void SwappedByOthers(this ILogger logger, string policy, string location);

    [LoggerMessage(
        13, LogLevel.Error,
        "The rollback of release {Release} of {Location} can't be published: {Why} Until it can, which is tried at "
        + "each look, it holds here alone, and the release is not taken here again. If this silo may only read there, "
        + "use 'polyjuice policy rollback' where one may write.")]
    public static partial void RollbackWaits(this ILogger logger, int release, string location, string why);

    [LoggerMessage(
        14, LogLevel.Error,
        "{Location} has lost what was published last: it holds {Entries} entries, and this cluster has seen another "
        + "one after them. Policy {Policy} stays in force, because nobody has said that an older one is to be. Restore "
        + "what is missing; or publish, or roll back, once more, and that counts.")]
    public static partial void Lost(this ILogger logger, string location, int entries, string policy);

    [LoggerMessage(
        15, LogLevel.Error,
        "{Location} has lost what was published last: it holds {Entries} entries, and this cluster has seen another "
        + "one after them, by which {Lost} (release {Release}) was in force. That can't be had here: {Why} Policy "
        + "{Policy}, which the silo was configured with, is in force until what is missing is restored, or somebody "
        + "publishes or rolls back.")]
    public static partial void LostForGood(
        this ILogger logger, string location, int entries, string lost, int release, string why, string policy);

    [LoggerMessage(16, LogLevel.Information, "{Location} has {Entries} entries now, and is followed again.")]
    public static partial void Found(this ILogger logger, string location, int entries);

    [LoggerMessage(
        17, LogLevel.Warning,
        "What was published last in {Location} can't be noted beside the logs, or read there: a silo that starts would "
        + "not notice if that place lost it. It is tried again.")]
    public static partial void NotRemembered(this ILogger logger, Exception exception, string location);

    [LoggerMessage(
        18, LogLevel.Information,
        "Follows the policies that are published in {Location}: release {Release}, {Policy}, is published there.")]
    public static partial void Follows(this ILogger logger, string location, int release, string policy);

    [LoggerMessage(
        19, LogLevel.Information,
        "Follows the policies that are published in {Location}: no release is in force there, so policy {Policy} stays "
        + "in force.")]
    public static partial void FollowsNothing(this ILogger logger, string location, string policy);
}
