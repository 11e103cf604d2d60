using System.Net;
using System.Text.Json;
using Microsoft.Extensions.Hosting;
using Polyjuice.Training.Service;

namespace Polyjuice.Cli.Training.Trainer;

/// <summary>
/// Answers <c>/health/live</c>, with 503 if the trainer has not been heard of for
/// long, and <c>/status</c>, with <see cref="TrainerStatus"/> as JSON. By HTTP without
/// encryption, and to everybody who gets there: it tells no keys and no grains.
/// </summary>
/// <param name="trainer">Of what.</param>
/// <param name="port">Where it listens, at all addresses.</param>
/// <param name="silenceMax">How long the trainer may say nothing.</param>
/// <param name="time">The clock.</param>
internal sealed class TrainerHealth(
    TrainerService trainer, int port, TimeSpan silenceMax, TimeProvider time) : BackgroundService
{
    public const string Live = "/health/live";
    public const string Status = "/status";

    private static readonly JsonSerializerOptions _json = new(JsonSerializerDefaults.Web)
    {
        WriteIndented = true, NewLine = "\n",
        Converters = { new System.Text.Json.Serialization.JsonStringEnumConverter() }
    };

    private readonly HttpListener _listener = new() { Prefixes = { $"http://*:{port}/" } };

    public override Task StartAsync(CancellationToken cancellationToken)
    {
        try
        {
            _listener.Start();
        }
        catch (HttpListenerException exception)
        {
            throw new IOException($"Port {port} can't be listened to: {exception.Message}", exception);
        }

        return base.StartAsync(cancellationToken);
    }

    public override void Dispose()
    {
        ((IDisposable)_listener).Dispose();
        base.Dispose();
    }

    protected override async Task ExecuteAsync(CancellationToken stoppingToken)
    {
        using var stop = stoppingToken.Register(_listener.Stop);
        while (!stoppingToken.IsCancellationRequested)
        {
            try
            {
                Answer(await _listener.GetContextAsync());
            }
            catch (Exception exception)
                when (exception is HttpListenerException or ObjectDisposedException or IOException)
            {
                // Somebody went away before the answer, or it was stopped.
            }
        }
    }

    private void Answer(HttpListenerContext context)
    {
        using var response = context.Response;
        response.ContentType = "application/json";
        switch (context.Request.Url?.AbsolutePath)
        {
            case Live:
                var alive = trainer.Status.AliveAt;
                var isAlive = trainer.Status.IsTraining || time.GetUtcNow() - alive <= silenceMax;
                response.StatusCode = isAlive ? 200 : 503;
                response.OutputStream.Write(
                    JsonSerializer.SerializeToUtf8Bytes(new { isAlive, aliveAt = alive }, _json));
                break;
            case Status:
                response.OutputStream.Write(JsonSerializer.SerializeToUtf8Bytes(trainer.Status, _json));
                break;
            default:
                response.StatusCode = 404;
                break;
        }
    }
}
