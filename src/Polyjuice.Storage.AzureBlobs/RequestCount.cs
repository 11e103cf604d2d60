using Azure.Core;
using Azure.Core.Pipeline;

namespace Polyjuice.Storage.AzureBlobs;

/// <summary>
/// How often one call was sent to the service, the client's own repetitions included. A refusal of the only request
/// says that nothing happened; a refusal of a repetition may have been caused by the request before it, whose answer
/// got lost.
/// </summary>
internal sealed class RequestCount
{
    private const string Key = "Polyjuice.RequestCount";
    private int _sent;

    /// <summary>0 means that the client was not made with <see cref="Policy"/>, and knows nothing of this.</summary>
    public int Sent => Volatile.Read(ref _sent);

    /// <summary>Whether the service may have done what it was asked, whatever it answered last.</summary>
    public bool WasRepeated => Sent != 1;

    /// <summary>Counts what is sent by this flow of control until it is disposed.</summary>
    public IDisposable Begin() =>
        HttpPipeline.CreateHttpMessagePropertiesScope(new Dictionary<string, object?> { [Key] = this });

    /// <summary>The part of the client that counts; goes after the one that repeats.</summary>
    public sealed class Policy : HttpPipelineSynchronousPolicy
    {
        /// <inheritdoc/>
        public override void OnSendingRequest(HttpMessage message)
        {
            if (message.TryGetProperty(Key, out var value) && value is RequestCount count)
                Interlocked.Increment(ref count._sent);
        }
    }
}
