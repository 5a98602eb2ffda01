// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/frontend/respelling.h"

#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/VirtualFileSystem.h"

#include <vector>

namespace hel::cc {
namespace {

bool is_word(char c) { return isalnum(static_cast<unsigned char>(c)) || c == '_'; }
bool is_blank(char c) { return c == ' ' || c == '\t'; }

/// A walk over source text that knows comments and literals.
class Respeller {
public:
  explicit Respeller(llvm::StringRef text) : text_(text), out_(text.str()) {}

  std::optional<std::string> run() {
    for (size_t i = 0; i < text_.size();) {
      i = skip_hidden(i);
      if (i >= text_.size()) {
        break;
      }
      if (text_[i] == '<') {
        respell_launch(i);
        while (i < text_.size() && text_[i] == '<') {
          ++i;
        }
      } else {
        ++i;
      }
    }
    for (; !braced_shapes_.empty(); braced_shapes_.pop_back()) {
      out_.insert(braced_shapes_.back(), "dim3");
    }
    return is_changed_ ? std::optional<std::string>(std::move(out_)) : std::nullopt;
  }

private:
  /// Past comments and literals that begin at `i`.
  size_t skip_hidden(size_t i) {
    while (i < text_.size()) {
      llvm::StringRef rest = text_.substr(i);
      if (rest.starts_with("//")) {
        i = std::min(text_.find('\n', i), text_.size());
      } else if (rest.starts_with("/*")) {
        size_t end = text_.find("*/", i + 2);
        i = end == llvm::StringRef::npos ? text_.size() : end + 2;
      } else if (text_[i] == '"') {
        i = skip_string(i);
      } else if (text_[i] == '\'' && (i == 0 || !is_word(text_[i - 1]))) {
        i = skip_quoted(i, '\'');
      } else {
        return i;
      }
    }
    return i;
  }

  size_t skip_quoted(size_t i, char quote) {
    for (++i; i < text_.size() && text_[i] != quote && text_[i] != '\n'; ++i) {
      i += text_[i] == '\\';
    }
    return std::min(i + 1, text_.size());
  }

  size_t skip_string(size_t i) {
    if (i > 0 && text_[i - 1] == 'R') {
      size_t open = text_.find('(', i);
      if (open != llvm::StringRef::npos) {
        std::string close = ")" + text_.slice(i + 1, open).str() + "\"";
        size_t end = text_.find(close, open);
        return end == llvm::StringRef::npos ? text_.size() : end + close.size();
      }
    }
    size_t end = skip_quoted(i, '"');
    bool is_glued = text_.substr(end).starts_with("__") && text_[end - 1] == '"';
    if (is_glued && i > 0 && is_blank(text_[i - 1])) {  // move the blank from before the literal to after it
      out_.replace(i - 1, end - i, text_.slice(i, end).str());
      out_[end - 1] = ' ';
      is_changed_ = true;
    }
    return end;
  }

  /// The end of three `c` from `i` on, blanks allowed between them; 0 when there are fewer or more.
  size_t end_of_three(size_t i, char c) {
    for (int n = 0; n < 3; ++n) {
      while (n > 0 && i < text_.size() && is_blank(text_[i])) {
        ++i;
      }
      if (i >= text_.size() || text_[i] != c) {
        return 0;
      }
      ++i;
    }
    return i < text_.size() && text_[i] != c && text_[i] != '=' ? i : 0;
  }

  /// A kernel's name or the end of its template arguments stands before a launch.
  bool follows_kernel(size_t i) {
    while (i > 0 && isspace(static_cast<unsigned char>(text_[i - 1]))) {
      --i;
    }
    if (i == 0 || !(is_word(text_[i - 1]) || text_[i - 1] == '>')) {
      return false;
    }
    return !text_.take_front(i).ends_with("operator");
  }

  void respell_launch(size_t open) {
    size_t open_end = end_of_three(open, '<');
    if (open_end == 0 || !follows_kernel(open)) {
      return;
    }
    int depth = 0, argument = 0;
    std::vector<size_t> braced;
    bool is_argument_start = true;
    for (size_t i = open_end; i < text_.size();) {
      i = skip_hidden(i);
      char c = i < text_.size() ? text_[i] : ';';
      if (depth == 0 && c == '{' && is_argument_start && argument < 2) {
        braced.push_back(i);
      }
      argument += depth == 0 && c == ',';
      is_argument_start = depth == 0 && (c == ',' || (is_argument_start && isspace(static_cast<unsigned char>(c))));
      depth += c == '(' || c == '[' || c == '{';
      depth -= c == ')' || c == ']' || c == '}';
      if (depth < 0 || (c == ';' && depth == 0)) {
        return;
      }
      size_t close_end = c == '>' && depth == 0 ? end_of_three(i, '>') : 0;
      if (close_end != 0 && text_.substr(close_end).ltrim().starts_with("(")) {
        join(open, open_end, '<');
        join(i, close_end, '>');
        is_changed_ |= !braced.empty();
        braced_shapes_.insert(braced_shapes_.end(), braced.begin(), braced.end());
        return;
      }
      ++i;
    }
  }

  void join(size_t begin, size_t end, char c) {
    std::string joined = std::string(3, c) + std::string(end - begin - 3, ' ');
    is_changed_ |= joined != text_.slice(begin, end);
    out_.replace(begin, end - begin, joined);
  }

  llvm::StringRef text_;
  std::string out_;
  std::vector<size_t> braced_shapes_;  ///< where a braced list stands for a dim3 in a launch
  bool is_changed_ = false;
};

/// An open file with other text than on disk.
class RespeltFile : public llvm::vfs::File {
public:
  RespeltFile(std::unique_ptr<llvm::vfs::File> file, std::string text)
      : file_(std::move(file)), text_(std::move(text)) {}
  llvm::ErrorOr<llvm::vfs::Status> status() override {
    auto status = file_->status();
    return status ? llvm::vfs::Status::copyWithNewSize(*status, text_.size()) : status;
  }
  std::error_code close() override { return file_->close(); }
  llvm::ErrorOr<std::unique_ptr<llvm::MemoryBuffer>> getBuffer(const llvm::Twine &name, int64_t, bool, bool) override {
    return llvm::MemoryBuffer::getMemBufferCopy(text_, name);
  }

private:
  std::unique_ptr<llvm::vfs::File> file_;
  std::string text_;
};

class RespellingFileSystem : public llvm::vfs::ProxyFileSystem {
public:
  using ProxyFileSystem::ProxyFileSystem;
  llvm::ErrorOr<std::unique_ptr<llvm::vfs::File>> openFileForRead(const llvm::Twine &path) override {
    auto file = ProxyFileSystem::openFileForRead(path);
    llvm::SmallString<256> text;
    llvm::StringRef name = path.toStringRef(text);
    bool is_system = name.starts_with("/usr/") || name.starts_with("/helicon/") || name.contains("/include/helicon/");
    if (!file || is_system) {
      return file;
    }
    auto status = (*file)->status();
    if (!status || !status->isRegularFile()) {
      return file;
    }
    auto buffer = (*file)->getBuffer(path);
    std::optional<std::string> changed = buffer ? respell((*buffer)->getBuffer()) : std::nullopt;
    if (changed) {
      return std::make_unique<RespeltFile>(std::move(*file), std::move(*changed));
    }
    return ProxyFileSystem::openFileForRead(path);
  }
};

}  // namespace

std::optional<std::string> respell(llvm::StringRef text) { return Respeller(text).run(); }

llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> respelling_files(
    llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> files) {
  return llvm::makeIntrusiveRefCnt<RespellingFileSystem>(std::move(files));
}

}  // namespace hel::cc
