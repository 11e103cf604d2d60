using System.Globalization;
using System.Text.Json;
using System.Text.Json.Serialization;
using Polyjuice.Storage;
using Polyjuice.Training.Service.Collecting;
using Polyjuice.Training.Service.Forecasting;

namespace Polyjuice.Training.Service.State;

/// <summary>
/// The folder that a trainer keeps its state in, and that nobody else has until it is
/// disposed. That is known by a file in it that is locked, so it ends with the process,
/// however that ends; between machines, on file systems that lock for all of them (NFS 4).
/// </summary>
internal sealed class TrainerFolder : IDisposable
{
    private static readonly JsonSerializerOptions _json = new(JsonSerializerDefaults.Web)
    {
        WriteIndented = true, NewLine = "\n", UnmappedMemberHandling = JsonUnmappedMemberHandling.Disallow,
        RespectNullableAnnotations = true, RespectRequiredConstructorParameters = true,
    };

    private readonly string _state;
    private readonly FileLock _lock;

    /// <summary>Opens it, or makes it.</summary>
    /// <exception cref="IOException">It can't be made, or another trainer has it.</exception>
    public TrainerFolder(string path)
    {
        Path = System.IO.Path.GetFullPath(path);

        // What is in it was recorded: grains' keys, and calls' arguments where those are.
        if (OperatingSystem.IsWindows()) Directory.CreateDirectory(Path);
        else Directory.CreateDirectory(Path, UnixFileMode.UserRead | UnixFileMode.UserWrite | UnixFileMode.UserExecute);
        _state = System.IO.Path.Combine(Path, "state.json");
        _lock = FileLock.TryTake(Path, $"process {Environment.ProcessId} on {Environment.MachineName}", out var by)
            ?? throw new IOException(
                $"The trainer's state in {Path} is used by {by}: a folder is one trainer's alone. Stop that one first, "
                + "or name another folder.");
    }

    public string Path { get; }

    /// <summary>The trace of the training that is under way.</summary>
    public string TrainingTrace => System.IO.Path.Combine(Path, "training.pjtrace");

    /// <summary>The replays of the training that is under way.</summary>
    public string TrainingCheckpoint => System.IO.Path.Combine(Path, "training.checkpoint");

    /// <summary>Where the traces of windows are.</summary>
    public string Windows => Directory.CreateDirectory(System.IO.Path.Combine(Path, "windows")).FullName;

    /// <summary>Where found tables are.</summary>
    public string Tables => Directory.CreateDirectory(System.IO.Path.Combine(Path, "tables")).FullName;

    /// <summary>What was saved last; the start, if nothing was.</summary>
    /// <exception cref="InvalidDataException">
    /// It is of a newer version, of windows of another length, or damaged. It is not changed.
    /// </exception>
    public TrainerState Load(WindowGrid grid)
    {
        if (!File.Exists(_state))
            return new TrainerState
            {
                Schema = TrainerState.CurrentSchema, WindowSeconds = grid.Length.TotalSeconds, History = [],
                Position = CollectorPosition.Start
            };
        TrainerState state;
        try
        {
            state = JsonSerializer.Deserialize<TrainerState>(File.ReadAllText(_state), _json)
                ?? throw new JsonException("It is empty.");
        }
        catch (JsonException exception)
        {
            throw new InvalidDataException(
                $"{_state} can't be read: {exception.Message} If it was written by a newer version, use that one; "
                + "otherwise remove it, and the history of conflict rates begins anew.",
                exception);
        }

        if (state.Schema != TrainerState.CurrentSchema)
            throw new InvalidDataException(
                $"{_state} is of schema {state.Schema}, and this version reads {TrainerState.CurrentSchema}: use the "
                + "version that wrote it, or name another folder.");
        if (state.WindowSeconds != grid.Length.TotalSeconds)
            throw new InvalidDataException(
                string.Create(
                    CultureInfo.InvariantCulture,
                    $"{_state} is of windows of {state.WindowSeconds} s, and these have {grid.Length.TotalSeconds} s: "
                    + $"rates of both can't be compared. Name another folder, or the former length."));
        return state;
    }

    /// <summary>Saves it, in place of what was there only once it is whole and on disk.</summary>
    public void Save(TrainerState state)
    {
        var unfinished = _state + ".part";
        using (var file = new FileStream(unfinished, FileMode.Create, FileAccess.Write, FileShare.None))
        {
            JsonSerializer.Serialize(file, state, _json);
            file.Flush(flushToDisk: true);
        }

        File.Move(unfinished, _state, overwrite: true);
    }

    /// <summary>Leaves it to others.</summary>
    public void Dispose() => _lock.Dispose();

    /// <summary>Forgets the training that was under way.</summary>
    public void EndTraining()
    {
        File.Delete(TrainingTrace);

        // What a training keeps beside its replays has the name of those, and one behind it.
        foreach (var file in Directory.GetFiles(Path, System.IO.Path.GetFileName(TrainingCheckpoint) + "*"))
            File.Delete(file);
    }
}
