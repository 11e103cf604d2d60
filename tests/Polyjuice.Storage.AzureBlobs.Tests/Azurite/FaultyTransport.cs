using Azure.Core;
using Azure.Core.Pipeline;
using Request = Azure.Core.Request;

namespace Polyjuice.Storage.AzureBlobs.Tests;

/// <summary>
/// The way to the service, on which a test decides what becomes
/// of requests: below everything that repeats or counts them.
/// </summary>
internal sealed class FaultyTransport : HttpPipelineTransport
{
    private readonly HttpClientTransport _inner = new(new HttpClient());
    private readonly Lock _gate = new();
    private readonly List<Fault> _faults = [];
    private readonly List<string> _requests = [];

    /// <summary>What was sent so far: method and what was asked for.</summary>
    public IReadOnlyList<string> Requests
    {
        get
        {
            lock (_gate) return [.. _requests];
        }
    }

    /// <summary>Says what becomes of the next request of a kind that nothing else is said about.</summary>
    public void Next(Func<Request, bool> kind, Func<HttpMessage, Func<ValueTask>, ValueTask> what)
    {
        lock (_gate) _faults.Add(new Fault(kind, what));
    }

    /// <summary>The request never arrives.</summary>
    public void LoseNext(Func<Request, bool> kind) =>
        Next(kind, static (_, _) => throw new IOException("The request was lost (test)."));

    /// <summary>The service does what it is asked, and its answer never arrives.</summary>
    public void LoseNextAnswer(Func<Request, bool> kind) => Next(kind, static async (_, send) =>
    {
        await send();
        throw new IOException("The answer was lost (test).");
    });

    /// <summary>The request is on its way for so long that it is given up, and arrives when the test says so.</summary>
    public HeldRequest HoldNext(Func<Request, bool> kind)
    {
        var held = new HeldRequest();
        Next(kind, async (message, _) =>
        {
            await held.TakeAsync(message.Request);
            throw new IOException("The request was held up (test).");
        });
        return held;
    }

    public static bool IsAppend(Request request) =>
        request.Method == RequestMethod.Put && request.Uri.Query.Contains("comp=appendblock", StringComparison.Ordinal);

    public static bool IsLease(Request request) =>
        request.Method == RequestMethod.Put && request.Uri.Query.Contains("comp=lease", StringComparison.Ordinal);

    public static bool IsRenewal(Request request) =>
        IsLease(request) && request.Headers.TryGetValue("x-ms-lease-action", out var action) && action == "renew";

    public static bool IsCommit(Request request) =>
        request.Method == RequestMethod.Put && request.Uri.Query.Contains("comp=blocklist", StringComparison.Ordinal);

    /// <summary>A blob that is made by one request.</summary>
    public static bool IsPut(Request request) =>
        request.Method == RequestMethod.Put && !request.Uri.Query.Contains("comp=", StringComparison.Ordinal)
            && request.Headers.Contains("x-ms-blob-type");

    public static bool IsRead(Request request) =>
        request.Method == RequestMethod.Get && !request.Uri.Query.Contains("comp=", StringComparison.Ordinal);

    public static bool IsAny(Request request) => true;

    public override Request CreateRequest() => _inner.CreateRequest();

    public override void Process(HttpMessage message) =>
        throw new NotSupportedException("Everything here is asynchronous.");

    public override async ValueTask ProcessAsync(HttpMessage message)
    {
        Fault? fault;
        lock (_gate)
        {
            _requests.Add($"{message.Request.Method} {message.Request.Uri.Query}");
            fault = _faults.FirstOrDefault(fault => fault.Kind(message.Request));
            if (fault is not null) _faults.Remove(fault);
        }

        if (fault is null) await _inner.ProcessAsync(message);
        else await fault.What(message, () => _inner.ProcessAsync(message));
    }

    private sealed record Fault(Func<Request, bool> Kind, Func<HttpMessage, Func<ValueTask>, ValueTask> What);
}
