using System.Net.Sockets;
using Azure;
using Azure.Storage.Blobs.Models;

namespace Polyjuice.Storage.AzureBlobs;

/// <summary>
/// Turns what the service says into what its operator should do.
/// Messages name the endpoint, never a key, a token or a signature.
/// </summary>
/// <param name="location">The device's.</param>
/// <param name="container">The container's name.</param>
internal sealed class AzureErrors(string location, string container)
{
    /// <summary>What to throw in place of an exception that the client threw.</summary>
    /// <param name="exception">That one.</param>
    /// <param name="what">What was to be done, as a verb: "append to".</param>
    /// <param name="name">The blob; empty for the container.</param>
    public Exception Explain(Exception exception, string what, string name)
    {
        var cause = Last(exception);
        var doing = name.Length == 0 ? $"can't {what} {location}" : $"can't {what} {location}/{name}";
        return cause switch
        {
            RequestFailedException { Status: > 0 } answer => Answered(answer, doing, name),
            OperationCanceledException => new IOException(
                $"Polyjuice {doing}: no answer in time. Nothing is lost, and the log goes on by itself when there is "
                + "one. If this lasts, look at the account's latency and throttling, or raise "
                + "AzureBlobLogOptions.RequestTimeout.",
                exception),
            _ when IsOfCredential(cause) => new UnauthorizedAccessException(
                $"Polyjuice {doing}: the credential gave no token. Check AzureBlobLogOptions.Credential: is the "
                + "identity assigned to this machine or pod, and signed in?",
                exception),
            RequestFailedException or HttpRequestException or SocketException or IOException
                and not (FileNotFoundException or FileLoadException) =>
                new IOException(
                    $"Polyjuice {doing}: the account can't be reached ({cause.GetBaseException().Message}). Nothing is "
                    + "lost, and the log goes on by itself when it answers. If this lasts, check the account's name, "
                    + "DNS, its firewall and private endpoints.",
                    exception),
            _ => new IOException($"Polyjuice {doing}: {cause.Message}", exception),
        };
    }

    private Exception Answered(RequestFailedException answer, string doing, string name)
    {
        var said = $"{answer.Status} {answer.ErrorCode}".Trim();
        if (answer.ErrorCode == BlobErrorCode.ContainerNotFound)
        {
            return new IOException(
                $"Polyjuice {doing}: there is no container '{container}'. Create it, or set "
                + "AzureBlobLogOptions.CreateContainer and allow this process to. If it was there before, somebody "
                + "deleted it, with what was committed: restore it.",
                answer);
        }

        if (answer.ErrorCode == BlobErrorCode.ContainerBeingDeleted)
            return new IOException(
                $"Polyjuice {doing}: the container '{container}' is being deleted, with what was committed in it. "
                + "Restore it, or use another one.",
                answer);
        if (answer.ErrorCode == BlobErrorCode.AccountIsDisabled)
            return new UnauthorizedAccessException(
                $"Polyjuice {doing} ({said}): the storage account is disabled. Nothing is lost; enable it again (its "
                + "subscription may have run out), and the log goes on by itself.",
                answer);
        return answer.Status switch
        {
            404 => new FileNotFoundException($"{location}/{name} is not there.", name, answer),
            401 or 403 => new UnauthorizedAccessException(
                $"Polyjuice {doing} ({said}): this process may not. Its identity needs the role 'Storage Blob Data "
                + $"Contributor' on the container '{container}', a shared access signature the permissions racwdl, "
                + "and the account's firewall must let this machine in. Right after a role was assigned it takes "
                + "some minutes.",
                    answer),
            429 or >= 500 => new IOException(
                $"Polyjuice {doing} ({said}): the storage account is throttled or busy, and was so at every "
                + "repetition. Nothing is lost, and the log goes on by itself. If this lasts, use fewer partitions, "
                + "another account or a premium one, or raise AzureBlobLogOptions.RetriesMax.",
                    answer),
            409 when answer.ErrorCode == "BlockCountExceedsLimit" => new IOException(
                $"Polyjuice {doing} ({said}): the segment has all the blocks that the service allows, because "
                + "something else appended to it. Nothing but Polyjuice may write there.",
                answer),
            409 when answer.ErrorCode == BlobErrorCode.InvalidBlobType => new IOException(
                $"Polyjuice {doing} ({said}): the blob is of another type than Polyjuice makes, so somebody else wrote "
                + "it. Nothing but Polyjuice may write below the prefix: use another container or KeyPrefix, or move "
                + "the blob away.",
                answer),
            409 when answer.ErrorCode is "BlobImmutableDueToPolicy" => new IOException(
                $"Polyjuice {doing} ({said}): an immutability policy is set on the container. Logs are trimmed and "
                + "checkpoints are replaced: use a container without one.",
                answer),
            412 when answer.ErrorCode == BlobErrorCode.LeaseIdMissing => new IOException(
                $"Polyjuice {doing} ({said}): somebody has a lease on the blob. Break it; Polyjuice leases its "
                + "lock only.",
                answer),
            400 when answer.ErrorCode == "FeatureVersionMismatch" || answer.ErrorCode == "UnsupportedHeader"
                || answer.ErrorCode == "BlobTypeNotSupported" =>
                new IOException(
                    $"Polyjuice {doing} ({said}): this kind of storage account does not take append blobs. Use a "
                    + "general-purpose v2 account, or a premium one for block blobs.",
                    answer),
            _ => new IOException($"Polyjuice {doing}: the service answered {said}.", answer),
        };
    }

    /// <summary>The last of a call's failures counts: it is the one that was not repeated.</summary>
    private static Exception Last(Exception exception)
    {
        while (exception is AggregateException { InnerExceptions.Count: > 0 } several)
            exception = several.InnerExceptions[^1];
        return exception;
    }

    // Azure.Identity is the user's choice, and not referenced here.
    private static bool IsOfCredential(Exception exception) => exception.GetType().Namespace == "Azure.Identity";
}
